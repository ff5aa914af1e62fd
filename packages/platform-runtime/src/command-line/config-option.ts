/** The option of every command that needs a configuration. */
export const configOption = {
  type: 'string',
  short: 'c',
  value: 'FILE',
  help: 'the configuration, when it is not ./signalbox.config.ts',
} as const
