"""The checks that a user repeats on their own machine, and the certificate they end in."""
