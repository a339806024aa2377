"""Hardware, one file a chip or bus. All refuse what cannot work with one sentence, when opened.

interfaces    protocols of strips, buttons and clocks
pixel_order   the bytes of a frame, and their order
spidev        the kernel's SPI bus
ws2812_spi    WS2812 by our own code over SPI
ws2812_pio    WS2812 by the kernel of a Raspberry Pi 5
ws281x        WS2812 by the library rpi-ws281x, Raspberry Pi Zero to 4
debounce      one button's contact over time
gpio_buttons  push buttons on the pins of a Raspberry Pi
"""
