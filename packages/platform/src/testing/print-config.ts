// Prints the configuration in a folder, or the error that loading it throws.
import { loadConfig } from '../../../platform-runtime/src/config/load-config.ts'

const [folder = '', file] = process.argv.slice(2)
console.log(await loadConfig(folder, file).then(JSON.stringify, (error: Error) => error.message))
