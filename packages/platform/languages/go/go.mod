module signalbox

go 1.18
