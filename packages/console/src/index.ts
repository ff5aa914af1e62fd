export { openConsole } from './server/open-console.ts'
