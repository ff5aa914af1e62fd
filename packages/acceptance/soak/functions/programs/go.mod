module soak

go 1.18

require signalbox v0.0.0

replace signalbox => ../../../../platform/languages/go
