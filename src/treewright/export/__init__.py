"""Write a model as text, graph or picture."""
