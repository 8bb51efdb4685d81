"""What every other part uses: errors, element types, arrays and texts."""
