"""Deck packs as people handle them: checked, shown, scanned and added to. (`vision.deck` reads what they know.)"""
