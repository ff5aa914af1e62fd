import * as t from 'io-ts'
import {
  confirmDevice,
  type Device,
  devicesOf,
  existingDevice,
  forgetDevice,
  rememberDevice,
} from '../../../flows/factors/devices.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import { seconds } from '../../wire/wire-user.ts'
import { accountOf } from '../accounts/admin-users.ts'
import { admin, type Operations, open } from '../operation.ts'

const own = { AccessToken: t.string }
const who = { UserPoolId: t.string, Username: t.string }
const key = { DeviceKey: t.string }
const listed = { Limit: wholeNumber(0, 60), PaginationToken: t.string }

/** Operations that manage the devices on which users sign in. */
export const deviceOperations: Operations = {
  ConfirmDevice: open(
    fields(
      { ...own, ...key },
      {
        DeviceName: t.string,
        DeviceSecretVerifierConfig: t.partial({ PasswordVerifier: t.string, Salt: t.string }),
      },
    ),
    async (engine, { AccessToken, DeviceKey, DeviceName, DeviceSecretVerifierConfig }, sdk) => {
      const { user, caller, device } = await engine.tokenCaller(AccessToken, sdk)
      const { PasswordVerifier: verifier, Salt: salt } = DeviceSecretVerifierConfig ?? {}
      if (verifier === undefined || salt === undefined)
        throw invalidParameter('DeviceSecretVerifierConfig needs a PasswordVerifier and a Salt.')
      const asked = { key: DeviceKey, name: DeviceName, verifier, salt }
      return { UserConfirmationNecessary: await confirmDevice(engine, caller.pool, user, device, asked) }
    },
  ),

  GetDevice: open(
    fields(key, { AccessToken: t.string }),
    async (engine, { AccessToken = '', DeviceKey }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      return { Device: wireDevice((await existingDevice(engine, caller.pool, user, DeviceKey)).device) }
    },
  ),

  ListDevices: open(fields(own, listed), async (engine, { AccessToken, ...part }, sdk) => {
    const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
    return pageOfDevices(await devicesOf(engine, caller.pool, user), part)
  }),

  ForgetDevice: open(
    fields(key, { AccessToken: t.string }),
    async (engine, { AccessToken = '', DeviceKey }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      await forgetDevice(engine, caller.pool, user, DeviceKey)
      return {}
    },
  ),

  UpdateDeviceStatus: open(
    fields({ ...own, ...key }, { DeviceRememberedStatus: t.string }),
    async (engine, { AccessToken, ...input }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      await rememberDevice(engine, caller.pool, user, input.DeviceKey, isRemembered(input))
      return {}
    },
  ),

  AdminGetDevice: admin(fields({ ...who, ...key }, {}), async (engine, input, sdk) => {
    const { user, caller } = await accountOf(engine, input, sdk)
    return { Device: wireDevice((await existingDevice(engine, caller.pool, user, input.DeviceKey)).device) }
  }),

  AdminListDevices: admin(fields(who, listed), async (engine, input, sdk) => {
    const { user, caller } = await accountOf(engine, input, sdk)
    return pageOfDevices(await devicesOf(engine, caller.pool, user), input)
  }),

  AdminForgetDevice: admin(fields({ ...who, ...key }, {}), async (engine, input, sdk) => {
    const { user, caller } = await accountOf(engine, input, sdk)
    await forgetDevice(engine, caller.pool, user, input.DeviceKey)
    return {}
  }),

  AdminUpdateDeviceStatus: admin(
    fields({ ...who, ...key }, { DeviceRememberedStatus: t.string }),
    async (engine, input, sdk) => {
      const { user, caller } = await accountOf(engine, input, sdk)
      await rememberDevice(engine, caller.pool, user, input.DeviceKey, isRemembered(input))
      return {}
    },
  ),
}

function isRemembered({
  DeviceRememberedStatus: status,
}: {
  readonly DeviceRememberedStatus?: string
}): boolean {
  if (status !== 'remembered' && status !== 'not_remembered')
    throw invalidParameter('DeviceRememberedStatus must be remembered or not_remembered.')
  return status === 'remembered'
}

function pageOfDevices(
  all: readonly Device[],
  { Limit, PaginationToken }: { readonly Limit?: number; readonly PaginationToken?: string },
) {
  const { items, next } = page(all, { Limit, NextToken: PaginationToken }, each => each.key)
  const { NextToken } = next
  return {
    Devices: items.map(wireDevice),
    ...(NextToken !== undefined && { PaginationToken: NextToken }),
  }
}

function wireDevice({ key: DeviceKey, name, isRemembered, created, modified, authenticated }: Device) {
  const attributes = {
    device_status: 'valid',
    ...(name !== undefined && { device_name: name }),
    'dev:device_remembered_status': isRemembered ? 'remembered' : 'not_remembered',
  }
  return {
    DeviceKey,
    DeviceAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    DeviceCreateDate: seconds(created),
    DeviceLastModifiedDate: seconds(modified),
    DeviceLastAuthenticatedDate: seconds(authenticated),
  }
}
