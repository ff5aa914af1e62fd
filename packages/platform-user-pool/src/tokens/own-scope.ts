/** The scope of tokens from a sign-in here. It allows operations of users on their own accounts. */
export const ownScope = 'aws.cognito.signin.user.admin'
