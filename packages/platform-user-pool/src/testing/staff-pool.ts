/** A configuration file with one user pool, `staff`, whose client has every way to sign in. */
export const config = `export default {
  userPools: { staff: {
    id: 'eu-central-1_Staff01',
    groups: { admins: {} },
    clients: { web: { id: 'web', flows: ['srp', 'password', 'custom', 'admin', 'refresh'] } },
  } },
  dataDir: 'data',
}`
