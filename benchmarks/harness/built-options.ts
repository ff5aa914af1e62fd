/**
 * The options of Node for a process that runs the built packages, as users do. This process runs from source, because it
 * also uses parts of packages that are not published.
 */
export const builtOptions = process.execArgv.filter(option => !option.startsWith('--conditions='))
