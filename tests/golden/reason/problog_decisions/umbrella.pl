?::u. 0.3::rain. 0.5::wind.
broken :- u, rain, wind. dry :- rain, u, \+broken. dry :- \+rain.
utility(broken,-40). utility(dry,60). utility(u,-2).
