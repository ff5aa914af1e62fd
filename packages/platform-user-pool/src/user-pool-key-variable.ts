/** The environment variable with the key that encrypts the secrets of user pools: 32 bytes in base64. */
export const userPoolKeyVariable = 'SIGNALBOX_USER_POOL_KEY'
