// Holds a data directory until it is killed.
import { dataDirectory } from '../data-directory.ts'

dataDirectory(process.argv[2]).lock()
process.send!('held')
setInterval(() => {}, 1000)
