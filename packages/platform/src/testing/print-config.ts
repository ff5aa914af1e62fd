// Prints the configuration in a folder, or the error that loading it throws.
import { loadConfig } from '@signalbox/platform-runtime/platform/testing/parts'

const [folder = '', file] = process.argv.slice(2)
console.log(await loadConfig(folder, file).then(JSON.stringify, (error: Error) => error.message))
