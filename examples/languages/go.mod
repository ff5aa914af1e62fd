module examples

go 1.18

require signalbox v0.0.0

replace signalbox => ../../packages/platform/languages/go
