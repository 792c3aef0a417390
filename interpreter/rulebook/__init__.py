"""From syntax trees to a checked book: definitions declared, supplements applied, names resolved, types checked."""
