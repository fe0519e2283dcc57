"""The paper's semantic verifier: two bidirectional GRUs and the distance between them.

    verifier = load_paper_semantics("folder")
    r_text(verifier, "a person waves", motions)      # exp(-distance), (N,)

A motion becomes movement codes, one per four frames, by a convolutional encoder that was
trained to reconstruct motions and then frozen; a GRU reads the codes. A sentence becomes
word vectors with parts of speech; another GRU reads those. Both end in a vector of 512
numbers, trained so that a sentence and its motion lie together and others 2 apart.
"""
