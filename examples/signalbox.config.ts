// #region config
import { defineConfig } from '@signalbox/platform'

/** The configuration for `npx signalbox dev` in this folder. */
export const config = defineConfig({
  functions: {
    'sign-up': { module: './sign-up/handler.ts' },
    orders: { module: './orders/handler.ts' },
    mailroom: { module: './mailroom/handler.ts' },
    shop: { module: './shop/handler.ts' },
    accounts: { module: './sign-up/journey.ts' },
    everything: { module: './everything/handler.ts' },
  },
  loadBalancers: {
    shop: { port: 3000, function: 'shop' },
    'shop-multi': { port: 3001, function: 'shop', multiValueHeaders: true },
  },
  queues: {
    orders: { function: 'orders', deadLetter: { queue: 'orders-dead', maxReceiveCount: 3 } },
    'orders.fifo': { function: 'orders', deadLetter: { queue: 'orders-dead.fifo', maxReceiveCount: 3 } },
  },
  userPools: {
    staff: {
      id: 'eu-central-1_Staff01',
      triggers: {
        function: 'accounts',
        version: 2,
        routes: [
          'PreSignUp_SignUp',
          'CustomMessage',
          'PostConfirmation_ConfirmSignUp',
          'DefineAuthChallenge',
          'CreateAuthChallenge',
          'VerifyAuthChallengeResponse',
          'PostAuthentication',
          'TokenGeneration',
        ],
      },
      clients: { web: { id: 'web', flows: ['custom', 'refresh'] } },
    },
  },
  mail: {
    domains: { 'office.example': { to: 'mailboxes' } },
    rules: [{ direction: 'INBOUND', function: 'mailroom', timeout: 5 }],
    relay: 'keep',
  },
})
// #endregion config
