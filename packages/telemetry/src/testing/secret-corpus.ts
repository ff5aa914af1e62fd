/** The secret that each string of the corpus contains. */
export const secret = 'Zq7hunterXw2vN9'

const names =
  'password newPassword old_password password_confirmation passwordConfirm userPassword Passwd pwd DB_PASSWORD passphrase ' +
  'passcode otp otpCode totp mfaCode mfa_code pin userPin verification_code verificationCode confirmationCode authCode ' +
  'reset_token resetToken securityAnswer challengeAnswer authToken auth_token csrfToken csrf_token xsrfToken ' +
  'authenticity_token jwt idToken id_token access_token refreshToken bearerToken sessionToken session_id deviceToken ' +
  'inviteToken secret client_secret clientSecret secretAccessKey aws_secret_access_key webhookSecret credentials cvv cvc ' +
  'securityCode code_verifier client_assertion SAMLResponse apiKey api_key X-API-KEY accessKey privateKey private_key ' +
  'signingKey encryptionKey masterKey recoveryCodes backup_codes seedPhrase mnemonic backupCode accountKey ' +
  'subscriptionKey signature sharedAccessSignature.sig sig'

const headers =
  'authorization proxy-authorization cookie x-access-token x-session-token x-auth-token x-csrf-token x-xsrf-token ' +
  'x-amzn-oidc-accesstoken x-amz-security-token x-goog-api-key x-api-key stripe-signature x-hub-signature-256 ' +
  'x-slack-signature dpop x-vault-token private-token x-functions-key ocp-apim-subscription-key x-shopify-hmac-sha256 ' +
  'x-twilio-signature cf-access-client-secret x-forwarded-access-token'

const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.${secret}`
const base64 = (text: string) => Buffer.from(text).toString('base64')
/** A token with the padding of Base64, as load balancers write it. */
const padded = `${base64('{"alg":"ES256","kid":"1"}')}.${base64('{"sub":"ada"}')}.${secret}=`

/** Strings from clients and functions, of every kind that an invocation log contains. */
const texts: readonly string[] = [
  // XML and HTML
  `<login><user>ada</user><password>${secret}</password></login>`,
  `<?xml version="1.0"?><wsse:Security><wsse:Password Type="#PasswordText">${secret}</wsse:Password></wsse:Security>`,
  `<api-key><![CDATA[${secret}]]></api-key>`,
  `<secret><value>${secret}</value></secret>`,
  `<add key="ApiKey" value="${secret}" />`,
  `<input type="hidden" name="csrf_token" value="${secret}">`,
  `<input value='${secret}' type='hidden' name='authenticity_token'>`,
  `<meta name="csrf-token" content="${secret}">`,
  `<dict><key>password</key><string>${secret}</string></dict>`,
  `<member><name>password</name><value><string>${secret}</string></value></member>`,
  `<user name="ada" password="${secret}"/>`,
  // YAML and settings
  `user: ada\npassword: ${secret}\nrole: admin`,
  `database:\n  host: db\n  password: "${secret}"\n`,
  `- name: API_KEY\n  value: ${secret}\n`,
  `private_key: |\n  ${secret}\n  more\nnext: 1`,
  `DB_HOST=db\nDB_PASSWORD=${secret}\nDEBUG=1`,
  `export GITHUB_TOKEN="${secret}"`,
  `[smtp]\nuser = ada\npassword = ${secret}\n`,
  `Server=db;User Id=sa;Password=${secret};Encrypt=true`,
  `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${secret};EndpointSuffix=core`,
  // Names of secrets that are values themselves, next to the secret
  `{"name":"password","value":"${secret}"}`,
  `[{"key":"api_key","value":"${secret}"},{"key":"page","value":"1"}]`,
  `{"value":"${secret}","name":"otp"}`,
  `{"fields":[{"field":"newPassword","values":["${secret}"]}]}`,
  `{ name: 'password', value: '${secret}' }`,
  `{"headers":[["Authorization","Bearer ${secret}"],["Accept","*/*"]]}`,
  `{"Name":"custom:api_key","Value":"${secret}"}`,
  // GraphQL, and literals of programming languages
  `mutation { login(email: "ada@shop.example", password: "${secret}") { id } }`,
  JSON.stringify({ query: `mutation { confirm(otp: "${secret}") { ok } }` }),
  JSON.stringify({ query: 'mutation($p: String!) { login(p: $p) }', variables: { password: secret } }),
  `login failed { user: 'ada', password: '${secret}', attempts: 3 }`,
  `{'user': 'ada', 'token': '${secret}'}`,
  `{"user"=>"ada", "password"=>"${secret}"}`,
  `User(name=ada, password=${secret})`,
  `Array\n(\n    [user] => ada\n    [password] => ${secret}\n)`,
  `{User:ada Password:${secret}}`,
  // Addresses
  `postgres://app:${secret}@db.example:5432/shop`,
  `cloning https://ada:${secret}@git.example/shop.git`,
  `redis://:${secret}@cache:6379/0`,
  `https://shop.example/reset/${secret}`,
  `https://shop.example/reset-password/${secret}?lang=en`,
  `/account/verify/${secret}`,
  `/invitations/${secret}/accept`,
  `https://shop.example/magic-link/${secret}`,
  `https://shop.example/callback?state=1&code=${secret}`,
  `https://shop.example/#access_token=${secret}&token_type=bearer`,
  `https://b.example/o?X-Amz-Date=1&X-Amz-Signature=${secret}`,
  `https://a.blob.example/c?sv=2022&sig=${secret}`,
  `https://shop.example/go?next=${encodeURIComponent(`https://b.example/?token=${secret}`)}`,
  `https://hooks.slack.com/services/T000/B000/${secret}`,
  // Secrets that can be recognized by their shape
  jwt,
  `got ${jwt} from ada`,
  `{"data":"${jwt}"}`,
  JSON.stringify({ headers: { accept: '*/*', 'x-amzn-oidc-data': padded } }),
  `got ${padded} from ada`,
  `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  JSON.stringify({ pem: `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----\n` }),
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}`,
  `sk_live_${secret}`,
  `ghp_${secret}`,
  `npm publish with npm_${secret}`,
  `calling with Bearer ${secret}`,
  `calling with Basic ${base64(`ada:${secret}`)}`,
  // JSON in Base64, in any field
  JSON.stringify({ data: base64(JSON.stringify({ password: secret })) }),
  JSON.stringify({ blob: base64(JSON.stringify([{ token: secret }])) }),
  `state=${base64(JSON.stringify({ otp: secret }))}`,
  JSON.stringify({ a: { b: base64(JSON.stringify({ c: base64(JSON.stringify({ pin: secret })) })) } }),
  JSON.stringify({ body: base64(`user=ada&password=${secret}`), isBase64Encoded: true }),
  Buffer.from(JSON.stringify({ secret })).toString('base64url'),
  // Forms
  `user=ada&new_password=${secret}&again=1`,
  `user%5Bpassword%5D=${secret}`,
  `data=${encodeURIComponent(JSON.stringify({ apiKey: secret }))}`,
  `--b\r\nContent-Disposition: form-data; name="mfaCode"\r\n\r\n${secret}\r\n--b--\r\n`,
  // Headers as text, and commands
  `GET / HTTP/1.1\r\nHost: shop.example\r\nX-Access-Token: ${secret}\r\n\r\n`,
  `curl -H "Authorization: Bearer ${secret}" https://shop.example`,
  `curl -H 'X-Api-Key: ${secret}' https://shop.example`,
  `curl -u ada:${secret} https://shop.example`,
  `deploy --token ${secret} --verbose`,
  `mysqldump --db-password ${secret} shop`,
  `deploy --password=${secret}`,
  `set-cookie: session=${secret}; HttpOnly`,
  // Output of functions
  `login of ada failed, password: ${secret}`,
  `Your verification code is ${secret}`,
  `Your code: ${secret}`,
  `${'{"user":"ada","password":"'}${secret}"} was refused`,
  `refused ${JSON.stringify(JSON.stringify({ token: secret }))}`,
  `Error: invalid token=${secret} for ada`,
  `CREATE USER ada IDENTIFIED BY '${secret}'`,
  `{"a":1}\n{"token":"${secret}"}\n{"b":2}`,
  `{"login":{"credentials":{"user":"ada","deep":["${secret}"`,
]

/** Entries of the corpus, each with a secret in its event, its payload or a log line. */
export const corpus: readonly string[] = [
  ...names.split(' ').map(name => JSON.stringify({ user: 'ada', [name]: secret })),
  ...headers.split(' ').map(name => JSON.stringify({ headers: { accept: '*/*', [name]: secret } })),
  ...texts,
]

/** Strings from an ordinary invocation log. Nothing in them is masked. */
export const ordinary: readonly string[] = [
  ...[
    { statusCode: 200, countryCode: 'DE', postcode: '10115', zipCode: '94103', postal_code: '1010' },
    { errorCode: 'E_STOCK', barcode: '4006381333931', languageCode: 'de', currency_code: 'EUR', qrcode: 'x' },
    { areaCode: '030', productCode: 'LAMP-7', discountCode: 'SUMMER', promo_code: 'WINTER', exitCode: 1 },
    {
      tokenizer: 'bpe',
      tokenType: 'bearer',
      max_tokens: 100,
      totalTokens: 7,
      tokens: ['a', 'b'],
      nextToken: 'p2',
    },
    {
      keyboard: 'qwerty',
      primaryKey: 'id',
      partition_key: 'shop',
      sortKey: '2024',
      monkey: 'bars',
      hockey: 'ice',
    },
    {
      keys: ['a', 'b'],
      key: 'orders/7.json',
      cacheKey: 'orders:7',
      publicKey: 'MFkw',
      idempotencyKey: 'order-7',
    },
    { pinned: true, shipping: 'express', opinion: 'good', spinner: 'on', mapping: 'none', pinterest: 'x' },
    {
      passwordPolicy: 'strong',
      passwordRequired: true,
      passwordUpdatedAt: '2024-05-01',
      secretName: 'db/main',
    },
    { secretArn: 'arn:cloud:secrets:eu:1:secret:db', apiKeyId: 'k-7', tokenUrl: 'https://id.example/oauth' },
    { authorId: 7, author: 'Ada', authorized: true, oauth: 'github', authenticated: true, authority: 'city' },
    { session: [{ challengeName: 'SRP_A', challengeResult: true }], sessions: 3, assessment: 'done' },
    { encoding: 'gzip', decode: 'utf-8', design: 'new', signal: 'green', signedIn: true, assigned: 'ada' },
    { passenger: 'Ada', compass: 'north', passed: 12, bypassed: 0, message: 'passing by', secretary: 'Bob' },
    {
      answers: ['a', 'b'],
      answered: true,
      cookieBanner: 'shown',
      cookiePolicy: 'https://shop.example/cookies',
    },
    {
      id: '550e8400-e29b-41d4-a716-446655440000',
      order: 'ORD-2024-000123',
      trace: '1-5759e988-bd862e3fe1be46a994272793',
    },
    {
      email: 'ada@shop.example',
      phone: '+49 30 123456',
      iban: 'x',
      url: 'https://shop.example/orders/7?page=2&sort=asc',
    },
    { etag: '"33a64df551425fcc55e4d42a148795d9f25f89d4"', sha: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' },
    { 'accept-encoding': 'gzip, br', 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11)' },
    {
      requestContext: { elb: { targetGroupArn: 'arn:cloud:lb:1' } },
      queryStringParameters: {},
      isBase64Encoded: false,
    },
    { password: null, code: '', token: null, otp: '', secret: {}, credentials: [] },
    { name: 'orders', value: 'seven', key: 'page', field: 'title', data: 'text' },
    { image: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4' },
    { schema: { required: ['username', 'password'], properties: ['token', 'email'] } },
    {
      eventSourceARN: 'arn:cloud:sqs:eu:1:orders',
      receiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
      attempts: 1,
    },
  ].map(value => JSON.stringify(value)),
  'Your code: see the app',
  'the secret, the token = none',
  'The password is required, and the token is missing.',
  'Enter your PIN, then press the key.',
  'Error: Invalid status code 404 for https://shop.example/api/v1/orders',
  'GET /keys/monkey/pinned?zipcode=94103&page=2 HTTP/1.1',
  'https://shop.example/reset/password and /verify/email and /confirm/order',
  'Basic authentication is deprecated, Bearer of good news',
  'user=ada&page=2&postcode=10115&encode=1&sort=asc',
  '<order><code-list/><keyboard>qwerty</keyboard><tokenizer>bpe</tokenizer></order>',
  'ratio 3:4 at 10:30, see host:8080 and a://b/c@d',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'order 4711 was paid with 2 items in 35 ms',
  'arn:aws:iam::123456789012:role/shop eu-central-1 v1.2.3-beta.4',
  'countryCode: DE\nstatusCode: 200\nbarcode: 4006381333931',
  `query { orders(first: 10, after: "Y3Vyc29yOjEw") { edges { node { id } } } }`,
]
