"""The operators as functions, made from the operator table of the extension."""
