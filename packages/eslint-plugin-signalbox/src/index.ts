// biome-ignore lint/style/noDefaultExport: ESLint's users and other linters expect a plugin as the default export.
export { signalbox, signalbox as default } from './plugin.ts'
