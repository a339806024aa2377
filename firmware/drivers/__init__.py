"""Hardware drivers, one file a chip or bus. A fault when opening is reported in one sentence.

interfaces      protocols of strips, buttons and clocks
reopened_strip  a strip that is opened anew after a fault
pixel_order     the bytes of a frame, and their order
spidev          the kernel's SPI bus
ws2812_spi      WS2812 over SPI, without a library
ws2812_pio      WS2812 by the kernel of a Raspberry Pi 5
ws281x          WS2812 by the library rpi-ws281x, Raspberry Pi Zero to 4
wled            LEDs that WLED drives, in the network
gpio_buttons    push buttons on the pins of a Raspberry Pi
"""
