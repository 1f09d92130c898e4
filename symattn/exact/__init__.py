"""What exact arithmetic finds, without the theorem that predicts it."""
