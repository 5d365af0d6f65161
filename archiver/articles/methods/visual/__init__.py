"""What is seen and who links: LEWECOM and MS-RBFN of Carullo's thesis (2010); section numbers are its own."""
