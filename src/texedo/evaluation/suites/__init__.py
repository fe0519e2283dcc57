"""The paper's evaluation: what choosing is worth, each table by one command.

    prompts     what is asked for            base       candidates, scores, roll-outs; kept
    best_of     N = 1 to 32                  selection  the main table
    ood         words nobody taught          robot      the thirty prompts of the real robot
    latency     how long each step takes     paper      the paper's own figures
    folder      a folder of results          page       tables, pictures, pages

Candidates of a prompt are drawn, scored, performed and judged once, whatever asks for
them, and kept; so a command that was stopped goes on, and two suites share their work.
"""
