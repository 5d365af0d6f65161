import de.l3s.boilerpipe.extractors.ArticleExtractor;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Boilerpipe's ArticleExtractor: a page a line comes in, its article a line goes out, both in Base64. */
public class Boilerpipe {
    public static void main(String[] arguments) throws Exception {
        BufferedReader pages = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = pages.readLine(); line != null; line = pages.readLine()) {
            String html = new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
            String text;
            try {
                text = ArticleExtractor.INSTANCE.getText(html);
            } catch (Exception | StackOverflowError error) {
                System.err.println(error);
                text = "";
            }
            System.out.println(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
            System.out.flush();
        }
    }
}
