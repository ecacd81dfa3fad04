"""The circle of Sherlock and Sherlock Deluxe: cards in a ring round the pile, the pawn, the cards won."""
