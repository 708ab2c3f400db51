// A pretended push service on loopback, and the settings that lead a host to it.
import { generateKeyPairSync } from 'node:crypto';
import { startStubService, type StubService } from './stub-service.ts';

interface PushService extends StubService {
  /** For the host that is to send its pushes here. */
  settings: { FCM_URL: string; FCM_SERVICE_ACCOUNT: string };
}

/** Takes every push as Firebase does, for tokens that it gives itself; `answer` may be replaced. */
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
  // Not a copy: what replaces `answer` replaces it where the server reads it.
  return Object.assign(service, {
    settings: { FCM_URL: service.url, FCM_SERVICE_ACCOUNT: JSON.stringify(account) },
  });
}
