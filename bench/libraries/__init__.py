"""Steps as people make them with public libraries, a file for each library; `steps` says what a step is."""
