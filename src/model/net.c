/* net.c - the shape of the network, from its options. */
#include "model/net.h"

Net net_new(const NetworkOptions *options, int source_vocabulary, int target_vocabulary)
{
    Net net = { .options = *options, .n = network_sizes(options, source_vocabulary, target_vocabulary),
                .score = scores[options->attention] };
    net.score_sizes = (ScoreSizes){ net.n.H, net.n.C, net.n.A };
    net.P = score_width(net.score->prepared, net.score_sizes);
    return net;
}
