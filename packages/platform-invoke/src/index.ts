export type { EventConfig, InvokeConfig, InvokesConfig } from './config/invoke-config.ts'
export type { InvokeSettings } from './config/invoke-part.ts'
export { invokeModule } from './invoke-module.ts'
