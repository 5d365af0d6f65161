"""The gazette: a site whose articles live through a script of edits and noise, every one of them known."""
