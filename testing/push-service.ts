// A fake push service on loopback, and the settings that make a host use it.
import { generateKeyPairSync } from 'node:crypto';
import { startStubService, type StubService } from './stub-service.ts';

interface PushService extends StubService {
  /** Settings with which a host sends its pushes to this service. */
  settings: { FCM_URL: string; FCM_SERVICE_ACCOUNT: string };
}

/** Starts a service that accepts every push to tokens that it has issued, like Firebase. A test can replace `respond`. */
export async function startPushService(): Promise<PushService> {
  const service = await startStubService(({ url }) =>
    url.pathname === '/token'
      ? { body: { access_token: 'an access token', expires_in: 3600 } }
      : { body: { name: 'projects/packpark-test/messages/1' } },
  );
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = {
    project_id: 'packpark-test',
    client_email: 'push@example.test',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${service.url}/token`,
  };
  // Changes the service itself instead of a copy, so that a replaced `respond` takes effect in the server.
  return Object.assign(service, {
    settings: { FCM_URL: service.url, FCM_SERVICE_ACCOUNT: JSON.stringify(account) },
  });
}
