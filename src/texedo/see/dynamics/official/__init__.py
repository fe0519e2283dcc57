"""The dynamic verifier of the TEXEDO release, from files that you downloaded.

    verifier = find_dynamics("official")               # from $TEXEDO_HOME/official
    verifier = find_dynamics("FOLDER@isaac")
    verifier.foresee(motions).r_dyn                    # (N,)

docs/official.md says which files, where they go, and what @mujoco and @isaac are.
"""
