import type { Config } from '../source-modules.ts'

/**
 * The contents of a `signalbox.config.ts`, with the types checked while it is written: a source that names a
 * function which is not there does not compile. Everything else is checked when the platform is made.
 */
export function defineConfig<const FunctionName extends string>(
  config: Config<FunctionName>,
): Config<FunctionName> & Required<Pick<Config<FunctionName>, 'functions'>> {
  return { ...config, functions: config.functions ?? ({} as NonNullable<typeof config.functions>) }
}
