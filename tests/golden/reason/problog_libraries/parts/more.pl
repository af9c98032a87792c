0.9::cloud.
