neumann_stage(explain
  SOURCES derivations.cpp describe.cpp explainer.cpp heat_overlay.cpp objects.cpp proof.cpp rivals.cpp substitution_of.cpp
          top_proofs.cpp or_share.cpp near_misses.cpp what_if.cpp wording.cpp
  USES ground reason scene)
