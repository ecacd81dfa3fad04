"""A table, a camera and hands, rendered with numpy and OpenCV: pictures whose every truth is known."""
