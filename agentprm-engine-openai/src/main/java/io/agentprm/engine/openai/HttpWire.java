package io.agentprm.engine.openai;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The JDK's HTTP client. */
final class HttpWire implements Wire {
    private final HttpClient client =
            HttpClient.newBuilder()
                    // The servers meant here speak nothing newer, and some stumble over the offer.
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(20))
                    .build();
    private final ApiKey key;

    HttpWire(ApiKey key) {
        this.key = key;
    }

    @Override
    public Answer post(URI address, byte[] json, Duration timeout)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(json));
        key.header().ifPresent(value -> request.header("Authorization", value));
        CompletableFuture<HttpResponse<byte[]>> response =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        try {
            // A request's own timeout ends with the headers; a body may trickle in for ever.
            return answer(response.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            throw new HttpTimeoutException(
                    "no complete answer within " + timeout.toMillis() + " ms");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IOException(e.getCause());
        } finally {
            response.cancel(true);
        }
    }

    private static Answer answer(HttpResponse<byte[]> response) {
        return new Answer(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.headers().firstValue("Retry-After"),
                response.body());
    }
}
