import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Fits J48 so many times to warm up, then once for every line it is sent: what each of these fits took, and at
 * the end the leaves and the share of right answers on other rows.
 */
public class J48Time {
    public static void main(String[] arguments) throws Exception {
        Instances fit = read(arguments[0]);
        Instances fresh = read(arguments[1]);
        int warmUps = Integer.parseInt(arguments[2]);
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        J48 tree = new J48();
        for (int run = 0; run < warmUps; run++) {
            tree.buildClassifier(fit);
        }
        System.out.println("ready");
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in));
        while (asked.readLine() != null) {
            tree = new J48();
            long cpu = clock.getCurrentThreadCpuTime();
            long wall = System.nanoTime();
            tree.buildClassifier(fit);
            System.out.println("run " + (clock.getCurrentThreadCpuTime() - cpu) / 1e9 + " "
                + (System.nanoTime() - wall) / 1e9);
        }
        int right = 0;
        for (int i = 0; i < fresh.numInstances(); i++) {
            if (tree.classifyInstance(fresh.instance(i)) == fresh.instance(i).classValue()) {
                right++;
            }
        }
        System.out.println("leaves " + (int) tree.measureNumLeaves());
        System.out.println("score " + right / (double) fresh.numInstances());
    }

    private static Instances read(String path) throws Exception {
        Instances rows = DataSource.read(path);
        rows.setClassIndex(rows.numAttributes() - 1);
        return rows;
    }
}
