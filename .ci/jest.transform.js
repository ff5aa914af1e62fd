// Removes the types of a source before jest counts which of its lines the tests run. Node removes them elsewhere.
import { stripTypeScriptTypes } from 'node:module'

export default { process: source => ({ code: stripTypeScriptTypes(source) }) }
