0.3::p. query(\+p).
