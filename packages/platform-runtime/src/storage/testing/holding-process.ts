// Holds a data directory until it is killed.
import { dataDirectory } from '../data-directory.ts'

const directory = dataDirectory(process.argv[2])
directory.lock()
process.send!('held')
// The lock would end with the object, once nothing refers to it.
setInterval(() => void directory, 1000)
