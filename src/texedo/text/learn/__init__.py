"""How the tokenizer and the language model are trained."""
