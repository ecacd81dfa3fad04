"""The board of Sherlock (2011): tiles in rows and columns, the escape booklet, the tiles won."""
