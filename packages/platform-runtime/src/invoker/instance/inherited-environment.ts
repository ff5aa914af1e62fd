/** The variables of the platform that functions read. */
const forFunctions = ['SIGNALBOX_CONTROL', 'SIGNALBOX_CONTROL_TOKEN', 'SIGNALBOX_CODE_KEY']

/**
 * Returns the environment variables that a function inherits from the platform. The platform's own keys begin with
 * `SIGNALBOX_`, and are withheld, as is every variable that the configuration reads a secret from. This keeps keys out of
 * dumps of `process.env` by functions and their dependencies. It is no protection from code that attacks the platform,
 * because instances run as the same user.
 */
export function inheritedEnvironment(
  environment: NodeJS.ProcessEnv,
  withheld: readonly string[],
): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => forFunctions.includes(name) || !(name.startsWith('SIGNALBOX_') || withheld.includes(name)),
    ),
  )
}
