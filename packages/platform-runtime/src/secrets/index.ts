export { masterKey } from './master-key.ts'
export { isSame, type Vault, vault } from './vault.ts'
