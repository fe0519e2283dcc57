"""The semantic verifier of the TEXEDO release, from files that you downloaded.

    verifier = find_semantics("official")                 # from $TEXEDO_HOME/official
    verifier = find_semantics("FOLDER@pipeline")
    r_text(verifier, "a person waves", motions)           # exp(-distance), (N,)

It can be read in two ways: `trained`, as it was trained, and `pipeline`, as the release's
own best-of-N does. docs/official.md says which files and where they go.
"""
