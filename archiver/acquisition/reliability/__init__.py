"""How far what servers and pages say of their times is true: counted, and acted on."""
